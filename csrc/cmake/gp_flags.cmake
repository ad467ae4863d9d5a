# gp_flags: what every C target of the project is compiled with. Link it PRIVATE.
add_library(gp_flags INTERFACE)
set_target_properties(gp_flags PROPERTIES INTERFACE_POSITION_INDEPENDENT_CODE ON)

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
string(REPLACE "-O3" "-O2" CMAKE_C_FLAGS_RELEASE "${CMAKE_C_FLAGS_RELEASE}")

if(MSVC)
    target_compile_options(gp_flags INTERFACE /W4 /utf-8 $<$<BOOL:${GPUPROBE_WERROR}>:/WX>)
    target_compile_definitions(gp_flags INTERFACE _CRT_SECURE_NO_WARNINGS)
else()
    target_compile_options(
        gp_flags
        INTERFACE -Wall
                  -Wextra
                  -Wpedantic
                  -Wshadow
                  -Wconversion
                  -Wsign-conversion
                  -Wcast-qual
                  -Wformat=2
                  -Wmissing-prototypes
                  -Wpointer-arith
                  -Wstrict-prototypes
                  -Wundef
                  -Wvla
                  -Wwrite-strings
                  $<$<BOOL:${GPUPROBE_WERROR}>:-Werror>)
endif()

if(MINGW) # isnan() of its math.h names float, double and long double in one expression
    target_compile_options(gp_flags INTERFACE -Wno-float-conversion)
endif()

if(GPUPROBE_SANITIZE)
    set(sanitize -fsanitize=${GPUPROBE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_compile_options(gp_flags INTERFACE ${sanitize} -g)
    target_link_options(gp_flags INTERFACE ${sanitize})
endif()
