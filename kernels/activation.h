// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace quire::kernels {

// gelu_erf  x/2 (1 + erf(x / sqrt 2))                                "gelu" of Hugging Face configs
// gelu_tanh x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))            "gelu_new", "gelu_pytorch_tanh", "gelu_fast"
// silu      x / (1 + exp(-x))                                        "silu", "swish"
enum class Activation { none, relu, gelu_erf, gelu_tanh, silu, tanh };

}  // namespace quire::kernels
