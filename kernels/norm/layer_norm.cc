// SPDX-License-Identifier: Apache-2.0
#include "kernels/norm/layer_norm.h"

#include "kernels/norm/layer_norm_levels.h"

namespace quire::kernels {
namespace {

constexpr KernelEntry<LayerNormFn> kList[] = {
#if defined(__x86_64__)
    {Level::avx512, "layer_norm_avx512", &layer_norm_avx512},
    {Level::avx2, "layer_norm_avx2", &layer_norm_avx2},
#endif
    {Level::portable, "layer_norm_portable", &layer_norm_portable},
};

}  // namespace

std::span<const KernelEntry<LayerNormFn>> layer_norm_kernels() { return kList; }

}  // namespace quire::kernels
