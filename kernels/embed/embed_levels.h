// SPDX-License-Identifier: Apache-2.0
//
// What each level's file defines.
#pragma once

#include "kernels/embed/embed.h"

namespace quire::kernels {

void embed_portable(const EmbedArgs& args);
void embed_avx2(const EmbedArgs& args);
void embed_avx512(const EmbedArgs& args);

}  // namespace quire::kernels
