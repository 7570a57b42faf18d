# What all of our own targets are compiled with. Third-party headers come in as SYSTEM and are not judged by it.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

set(EOS_SANITIZE "" CACHE STRING "Sanitizers for every target: 'address,undefined' or 'thread'; empty for none")

add_library(eos_settings INTERFACE)
target_include_directories(eos_settings INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_definitions(eos_settings INTERFACE EOS_VERSION="${PROJECT_VERSION}")
target_compile_options(eos_settings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual -Werror)
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  # GCC 12 reports false positives within its own std::string when it inlines this much (GCC bug 105651).
  target_compile_options(eos_settings INTERFACE -Wno-restrict)
elseif(NOT EOS_SANITIZE)
  target_compile_options(eos_settings INTERFACE -Wnull-dereference)
endif()
if(EOS_SANITIZE)
  add_compile_options(-fsanitize=${EOS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${EOS_SANITIZE})
  # GCC 12 reports false positives of this when instrumenting (its own manual says so).
  add_compile_options(-Wno-maybe-uninitialized)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  add_compile_options(-fstack-protector-strong -D_FORTIFY_SOURCE=2)
  add_link_options(-Wl,-z,relro,-z,now -Wl,--as-needed)
endif()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

find_program(EOS_CCACHE ccache)
if(EOS_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${EOS_CCACHE}")
endif()
