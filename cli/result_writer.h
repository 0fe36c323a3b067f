// SPDX-License-Identifier: Apache-2.0
//
// The two shapes that embeddings leave in.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "cli/options.h"
#include "cli/output.h"

namespace quire::cli {

class ResultWriter {
 public:
  virtual ~ResultWriter() = default;
  // Items come in the order of the input. item.status or embedding.status may be an error.
  virtual Status add(std::size_t index, const Item& item, const Embedding& embedding) = 0;
  virtual Status end_batch() = 0;
  virtual Status finish() = 0;  // after the last item; closes the output
};

// One object per line.
std::unique_ptr<ResultWriter> make_jsonl_writer(Output output);

// NumPy format 1.0, '<f4', shape (items, columns). An item that failed is a row of NaN and a line on standard error. A
// file's header is completed at the end; what can not be written twice (standard output, a pipe) is held until then.
std::unique_ptr<ResultWriter> make_npy_writer(Output output, std::size_t columns);

}  // namespace quire::cli
