// SPDX-License-Identifier: Apache-2.0
#include "kernels/embed/embed_impl.h"
#include "kernels/embed/embed_levels.h"

namespace quire::kernels {

void embed_portable(const EmbedArgs& args) { EmbedImpl<simd::Portable>::run(args); }

}  // namespace quire::kernels
