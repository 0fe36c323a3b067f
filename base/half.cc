// SPDX-License-Identifier: Apache-2.0
//
// Whole-number arithmetic on the bit patterns, without branches on the data so that the loops vectorise on any
// baseline.
#include "base/half.h"

#include <bit>
#include <cstring>

namespace quire {
namespace {

constexpr std::uint32_t kSign32 = 0x80000000;
constexpr std::uint32_t kInfinity32 = 0x7F800000;
constexpr std::uint32_t kQuiet32 = 0x00400000;  // top bit of the fraction

// The fp32 exponent field of 2^-14, the smallest normal f16.
constexpr std::uint32_t kF16MinNormal = 113u << 23;
// From an f16 exponent field to an fp32 one: bias 15 becomes bias 127.
constexpr std::uint32_t kF16Rebias = (127u - 15u) << 23;

std::uint32_t quiet(std::uint32_t bits) { return (bits & ~kSign32) > kInfinity32 ? bits | kQuiet32 : bits; }

// As masks, since a compiler that sees a choice between computed values may make a jump of it.
std::uint32_t select(bool condition, std::uint32_t yes, std::uint32_t no) {
  const std::uint32_t mask = 0u - std::uint32_t{condition};
  return (yes & mask) | (no & ~mask);
}

float widen(Bf16 value) { return std::bit_cast<float>(quiet(std::uint32_t{value.bits} << 16)); }

float widen(F16 value) {
  const std::uint32_t sign = (value.bits & 0x8000u) << 16;
  const std::uint32_t magnitude = (value.bits & 0x7FFFu) << 13;  // exponent and fraction in fp32's places
  const std::uint32_t normal = magnitude + kF16Rebias;
  const std::uint32_t non_finite = quiet(magnitude | kInfinity32);
  // 2^-14 + fraction * 2^-24 is an fp32 normal number, so taking 2^-14 away is exact and needs no denormal arithmetic.
  const float shifted = std::bit_cast<float>(magnitude + kF16MinNormal);
  const std::uint32_t denormal = std::bit_cast<std::uint32_t>(shifted - std::bit_cast<float>(kF16MinNormal));
  const std::uint32_t finite = select(magnitude < (1u << 23), denormal, normal);
  return std::bit_cast<float>(sign | select(magnitude < (31u << 23), finite, non_finite));
}

template <class Half>
void widen_all(const void* in, Index n, float* out) {
  const auto* bytes = static_cast<const unsigned char*>(in);
  for (Index i = 0; i < n; ++i) {
    Half value;
    std::memcpy(&value.bits, bytes + i * 2, 2);
    out[i] = widen(value);
  }
}

}  // namespace

float to_float(Bf16 value) noexcept { return widen(value); }
float to_float(F16 value) noexcept { return widen(value); }

Bf16 to_bf16(float value) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & ~kSign32) > kInfinity32) return {static_cast<std::uint16_t>(quiet(bits) >> 16)};
  // Half a unit less one bit, plus the last bit kept: ties go to the even neighbour. A carry out of the fraction raises
  // the exponent, up to infinity.
  const std::uint32_t rounded = bits + 0x7FFFu + (bits >> 16 & 1u);
  return {static_cast<std::uint16_t>(rounded >> 16)};
}

F16 to_f16(float value) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000u;
  const std::uint32_t magnitude = bits & ~kSign32;
  std::uint32_t half = 0;
  if (magnitude > kInfinity32) {
    half = 0x7E00u | (magnitude >> 13 & 0x3FFu);
  } else if (magnitude >= 143u << 23) {  // 65536 and above; 65520 to 65536 carry into infinity below
    half = 0x7C00u;
  } else if (magnitude < kF16MinNormal) {
    // The last place of numbers in [0.5, 1) is 2^-24, the unit of f16 denormals: the addition does the rounding.
    const float placed = std::bit_cast<float>(magnitude) + 0.5f;
    half = std::bit_cast<std::uint32_t>(placed) - std::bit_cast<std::uint32_t>(0.5f);
  } else {
    half = (magnitude - kF16Rebias + 0xFFFu + (magnitude >> 13 & 1u)) >> 13;
  }
  return {static_cast<std::uint16_t>(sign | half)};
}

void widen_bf16(const void* in, Index n, float* out) noexcept { widen_all<Bf16>(in, n, out); }
void widen_f16(const void* in, Index n, float* out) noexcept { widen_all<F16>(in, n, out); }

}  // namespace quire
