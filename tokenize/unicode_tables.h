// SPDX-License-Identifier: Apache-2.0
//
// Sets of code points as ranges, in ascending order.
#pragma once

#include <cstdint>
#include <span>

namespace quire::tokenize {

struct CodePointRange {
  char32_t first, last;  // both included
};

// Every `step`th code point from first to last has its lower case `shift` further.
struct LowerCaseRange {
  char32_t first, last;
  std::int32_t shift;
  std::uint32_t step;
};

std::span<const CodePointRange> cleaned_ranges();          // dropped by BERT's clean_text
std::span<const CodePointRange> nonspacing_ranges();       // Mn of Unicode 8.0
std::span<const CodePointRange> punctuation_ranges();      // P of Unicode 8.0 and ASCII punctuation
std::span<const CodePointRange> reorders_ranges();         // combining class not 0 in Unicode 9.0
std::span<const CodePointRange> word_characters_ranges();  // \w of Unicode 16.0
std::span<const LowerCaseRange> lower_case_ranges();       // of Unicode 17.0; U+0130, which becomes two, is not there

}  // namespace quire::tokenize
