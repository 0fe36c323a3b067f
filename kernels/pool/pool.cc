// SPDX-License-Identifier: Apache-2.0
#include "kernels/pool/pool.h"

#include <algorithm>

#include "kernels/pool/pool_levels.h"

namespace quire::kernels {
namespace {

constexpr KernelEntry<Pool> kList[] = {
#if defined(__x86_64__)
    {Level::avx512, "pool_avx512", {&pool_mean_avx512, &pool_max_avx512, &l2_normalize_avx512}},
    {Level::avx2, "pool_avx2", {&pool_mean_avx2, &pool_max_avx2, &l2_normalize_avx2}},
#endif
    {Level::portable, "pool_portable", {&pool_mean_portable, &pool_max_portable, &l2_normalize_portable}},
};

}  // namespace

std::span<const KernelEntry<Pool>> pool_kernels() { return kList; }

void pool_cls(const PoolArgs& args) { std::copy_n(args.x + args.begin * args.x_stride, args.cols, args.out); }

}  // namespace quire::kernels
