#pragma once

#include <string>
#include <string_view>

#include <articula/base/modules.h>

namespace articula::generate {

/// A user's name as an identifier of C, C++ and CUDA: letters, digits and underscores, a letter first, at most 48
/// characters.
std::string identifier(std::string_view name);

/// A user's name as part of a comment: characters that could end the comment, splice lines, form a trigraph or reorder
/// the displayed text are written as \x2F.
std::string comment_text(std::string_view name);

}  // namespace articula::generate
