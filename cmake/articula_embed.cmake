# articula_embed(<target> <name> <file>) makes the text of a file part of a library: its sources may call
#
#   namespace articula::embedded { std::string_view <name>(); }
#
# The text is taken when the library is built, and again when the file has changed. A last line that names a source map
# is left out: a browser would look for that map elsewhere.

if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(articula_embed_script ${CMAKE_CURRENT_LIST_FILE})

  function(articula_embed target name file)
    set(output ${PROJECT_BINARY_DIR}/generated/embedded/${name}.cpp)
    add_custom_command(
      OUTPUT ${output}
      COMMAND ${CMAKE_COMMAND} -D NAME=${name} -D FILE=${file} -D OUTPUT=${output} -P ${articula_embed_script}
      DEPENDS ${file} ${articula_embed_script}
      COMMENT "Embedding ${file}"
      VERBATIM)
    target_sources(${target} PRIVATE ${output})
  endfunction()
  return()
endif()

# As a script: writes OUTPUT with the bytes of FILE.
file(READ ${FILE} bytes HEX)
string(HEX "//# sourceMappingURL=" mark)
string(FIND "${bytes}" "${mark}" at REVERSE)
if(NOT at EQUAL -1)
  string(SUBSTRING "${bytes}" 0 ${at} bytes)
endif()
string(LENGTH "${bytes}" size)
math(EXPR size "${size} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REPEAT "....." 16 line) # sixteen bytes to a line
string(REGEX REPLACE "(${line})" "\\1\n    " bytes "${bytes}")
file(
  WRITE ${OUTPUT}
  "#include <string_view>

namespace articula::embedded {

std::string_view ${NAME}();

static constexpr unsigned char bytes[] = {
    ${bytes}0};

std::string_view ${NAME}() { return {reinterpret_cast<const char*>(bytes), ${size}}; }

}  // namespace articula::embedded
")
