// SPDX-License-Identifier: Apache-2.0
//
// What each level's file defines.
#pragma once

#include "kernels/pool/pool.h"

namespace quire::kernels {

void pool_mean_portable(const PoolArgs& args);
void pool_mean_avx2(const PoolArgs& args);
void pool_mean_avx512(const PoolArgs& args);

void pool_max_portable(const PoolArgs& args);
void pool_max_avx2(const PoolArgs& args);
void pool_max_avx512(const PoolArgs& args);

void l2_normalize_portable(float* v, Index n);
void l2_normalize_avx2(float* v, Index n);
void l2_normalize_avx512(float* v, Index n);

}  // namespace quire::kernels
