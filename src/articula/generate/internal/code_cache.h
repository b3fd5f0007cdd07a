#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace articula {

/// The folder where compiled code is kept, made if it is not there. Throws `cache-unsafe` if others may write to it.
/// Empty if none can be made.
std::filesystem::path code_cache_folder(const std::string& chosen);

/// Whether it is a regular file of this user's that nobody else may write. False if there is none; throws
/// `cache-unsafe` for one that is not safe.
bool is_safe_file(const std::filesystem::path& file);

/// 128 bits of a text as 32 hexadecimal digits.
std::string content_name(const std::string& text);

/// What a file holds; empty if it cannot be read.
std::string file_text(const std::filesystem::path& file);

/// Runs a program without a shell, its output in `log`. Its exit status; −1 if it cannot be started.
int run_program(const std::vector<std::string>& arguments, const std::filesystem::path& log);

/// The full path of a program; empty if there is none.
std::filesystem::path find_program(const std::string& name);

/// What decides which machine code `-march=native` means here.
std::string processor_text();

}  // namespace articula
