# gp_find_nvcc(OUT): the nvcc to compile the kernels with, as a command line; empty if there is
# none. Only a compiler that compiles our kernels counts: a toolkit may lack a part, or dislike the
# host compiler. The build goes on without kernels rather than fail.

# Where an nvcc may be, best first: the pinned wheels of an isolated build, then the toolkits.
function(gp_nvcc_candidates out)
    set(list_path "import sys; print(';'.join(p.replace('\\\\', '/') for p in sys.path if p))")
    execute_process(COMMAND "${Python_EXECUTABLE}" -c "${list_path}" OUTPUT_VARIABLE folders
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    list(TRANSFORM folders APPEND "/nvidia/cu13")
    list(APPEND folders "$ENV{CUDA_PATH}" "$ENV{CUDA_HOME}")
    list(REMOVE_ITEM folders "")
    list(TRANSFORM folders APPEND "/bin/nvcc${CMAKE_HOST_EXECUTABLE_SUFFIX}")
    find_program(GPUPROBE_NVCC_ON_PATH nvcc NO_CACHE)
    set(${out} ${folders} "${GPUPROBE_NVCC_ON_PATH}" /usr/local/cuda/bin/nvcc PARENT_SCOPE)
endfunction()

# Tries nvcc with the host compiler that it finds by itself, then with the project's.
function(gp_check_nvcc nvcc out)
    set(kernels "${PROJECT_SOURCE_DIR}/csrc/kernels/kernels.cu")
    foreach(host IN ITEMS "" "-ccbin=${CMAKE_C_COMPILER}")
        set(command "${nvcc}" -allow-unsupported-compiler ${host})
        execute_process(
            COMMAND ${command} -arch=sm_75 -cubin -o "${CMAKE_CURRENT_BINARY_DIR}/check.cubin"
                    "${kernels}"
            RESULT_VARIABLE failed OUTPUT_VARIABLE why ERROR_VARIABLE why)
        if(NOT failed)
            set(${out} ${command} PARENT_SCOPE)
            return()
        endif()
    endforeach()
    message(STATUS "gpuprobe: ${nvcc} cannot compile the kernels: ${why}")
endfunction()

function(gp_find_nvcc out)
    set(${out} "" PARENT_SCOPE)
    if(GPUPROBE_NVCC MATCHES "^(OFF|off|NO|no|0)$")
        message(STATUS "gpuprobe: built without kernels, as GPUPROBE_NVCC=${GPUPROBE_NVCC} asks")
        return()
    elseif(GPUPROBE_NVCC)
        set(candidates "${GPUPROBE_NVCC}")
    else()
        gp_nvcc_candidates(candidates)
    endif()
    foreach(nvcc IN LISTS candidates)
        set(command "")
        if(EXISTS "${nvcc}")
            gp_check_nvcc("${nvcc}" command)
        endif()
        if(command)
            message(STATUS "gpuprobe: kernels are compiled by ${nvcc}")
            set(${out} ${command} PARENT_SCOPE)
            return()
        endif()
    endforeach()
    list(JOIN candidates "\n  " tried)
    message(WARNING "gpuprobe is built WITHOUT kernels, because no nvcc works here. Everything "
                    "but the proof that the GPU computes is there. -C cmake.define."
                    "GPUPROBE_NVCC=/path/to/nvcc names one. Tried:\n  ${tried}")
endfunction()
