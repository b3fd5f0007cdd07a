#pragma once

#include <string>
#include <string_view>

#include <articula/base/rooms.h>

namespace articula::generate {

/// A name of the user as an identifier of C, C++ and CUDA: letters, digits and underscores, beginning with a letter,
/// at most 48 of them.
std::string identifier(std::string_view name);

/// A name of the user as part of a comment: what could end the comment, splice lines, be a trigraph or reorder the
/// text on the screen stands as \x2F.
std::string comment_text(std::string_view name);

}  // namespace articula::generate
