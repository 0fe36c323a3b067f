// SPDX-License-Identifier: Apache-2.0
#pragma once

// Everything is hidden unless it says so.
#define QUIRE_API __attribute__((visibility("default")))
