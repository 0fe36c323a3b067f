// SPDX-License-Identifier: Apache-2.0
#include "kernels/embed/embed.h"

#include "kernels/embed/embed_levels.h"

namespace quire::kernels {
namespace {

constexpr KernelEntry<EmbedFn> kList[] = {
#if defined(__x86_64__)
    {Level::avx512, "embed_avx512", &embed_avx512},
    {Level::avx2, "embed_avx2", &embed_avx2},
#endif
    {Level::portable, "embed_portable", &embed_portable},
};

}  // namespace

std::span<const KernelEntry<EmbedFn>> embed_kernels() { return kList; }

}  // namespace quire::kernels
