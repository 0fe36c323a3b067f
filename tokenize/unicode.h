// SPDX-License-Identifier: Apache-2.0
//
// Character properties exactly as Hugging Face's tokenizers has them, which is what models were trained on. That
// package mixes Unicode versions: categories are those of Unicode 8.0, decompositions those of 12.1, lower case that of
// its Rust compiler. utf8proc gives the bulk; unicode_exceptions.h holds the differences, found by trying every code
// point.
#pragma once

#include <cstdint>
#include <span>

namespace quire::tokenize {

// Bits of character_flags. A character with none of them passes every step of the BERT pipeline unchanged.
enum CharacterFlag : std::uint8_t {
  kWhiteSpace = 1,    // property White_Space
  kCleaned = 2,       // dropped by BERT's clean_text: Cc, Cf, Co but \t \n \r; U+0000, U+FFFD
  kIdeograph = 4,     // set apart by handle_chinese_chars
  kNonspacing = 8,    // category Mn
  kPunctuation = 16,  // category P or ASCII punctuation
  kReorders = 32,     // a canonical combining class that is not 0
  kDecomposes = 64,   // NFD changes it
  kLowers = 128,      // lower case differs
};

std::uint8_t character_flags(char32_t code_point);

int combining_class(char32_t code_point);

// Both write at most kExpansion code points and return how many.
inline constexpr int kExpansion = 4;
int decompose(char32_t code_point, std::span<char32_t, kExpansion> out);
int lower_case(char32_t code_point, std::span<char32_t, kExpansion> out);

// \w of Rust's regex crate (UTS 18): Alphabetic, M, Nd, Pc, Join_Control.
bool is_word_character(char32_t code_point);

bool is_white_space(char32_t code_point);

}  // namespace quire::tokenize
