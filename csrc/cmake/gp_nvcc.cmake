# gp_find_nvcc(NVCC KNOWN CAPABILITY…): the nvcc to compile the kernels with, as a command line, and
# those of the capabilities that it knows; empty if there is none. Only a compiler that compiles our
# kernels counts: a toolkit may lack a part, or dislike the host compiler. Where one is searched
# for, the build goes on without kernels rather than fail; one that GPUPROBE_NVCC names has to work.

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

# Those of the capabilities that nvcc knows.
function(gp_known_capabilities nvcc out)
    execute_process(COMMAND "${nvcc}" --list-gpu-arch OUTPUT_VARIABLE listed ERROR_QUIET)
    set(known "")
    foreach(capability IN LISTS ARGN)
        string(REGEX MATCH "^[0-9]+" number ${capability})
        if(listed MATCHES "compute_${number}([^0-9]|$)")
            list(APPEND known ${capability})
        endif()
    endforeach()
    set(${out} ${known} PARENT_SCOPE)
endfunction()

# Tries nvcc for one capability with the host compiler that it finds by itself, then with the
# project's.
function(gp_check_nvcc nvcc capability out)
    set(kernels "${PROJECT_SOURCE_DIR}/csrc/kernels/kernels.cu")
    foreach(host IN ITEMS "" "-ccbin=${CMAKE_C_COMPILER}")
        set(command "${nvcc}" -allow-unsupported-compiler ${host})
        execute_process(
            COMMAND ${command} -arch=sm_${capability} -cubin -o
                    "${CMAKE_CURRENT_BINARY_DIR}/check.cubin" "${kernels}"
            RESULT_VARIABLE failed OUTPUT_VARIABLE why ERROR_VARIABLE why)
        if(NOT failed)
            set(${out} ${command} PARENT_SCOPE)
            return()
        endif()
    endforeach()
    message(STATUS "gpuprobe: ${nvcc} cannot compile the kernels: ${why}")
endfunction()

# The first of the candidates that works; empty if none does.
function(gp_first_nvcc out_nvcc out_known candidates)
    foreach(nvcc IN LISTS candidates)
        set(command "")
        set(known "")
        if(EXISTS "${nvcc}")
            gp_known_capabilities("${nvcc}" known ${ARGN})
        endif()
        if(known)
            list(GET known 0 capability)
            gp_check_nvcc("${nvcc}" ${capability} command)
        elseif(EXISTS "${nvcc}")
            message(STATUS "gpuprobe: ${nvcc} --list-gpu-arch lists no target of the kernels")
        endif()
        if(command)
            message(STATUS "gpuprobe: kernels are compiled by ${nvcc}")
            set(${out_nvcc} ${command} PARENT_SCOPE)
            set(${out_known} ${known} PARENT_SCOPE)
            return()
        endif()
    endforeach()
    set(${out_nvcc} "" PARENT_SCOPE)
    set(${out_known} "" PARENT_SCOPE)
endfunction()

function(gp_find_nvcc out_nvcc out_known)
    set(nvcc "")
    set(known "")
    if(GPUPROBE_NVCC STREQUAL "")
        gp_nvcc_candidates(candidates)
        gp_first_nvcc(nvcc known "${candidates}" ${ARGN})
        if(NOT nvcc)
            list(JOIN candidates "\n  " tried)
            message(WARNING "gpuprobe is built WITHOUT kernels, because no nvcc works here. "
                            "Everything but the proof that the GPU computes is there. "
                            "-C cmake.define.GPUPROBE_NVCC=/path/to/nvcc names one. "
                            "Tried:\n  ${tried}")
        endif()
    elseif(GPUPROBE_NVCC)
        find_program(named "${GPUPROBE_NVCC}" NO_CACHE)
        gp_first_nvcc(nvcc known "${named}" ${ARGN})
        if(NOT nvcc)
            message(FATAL_ERROR "gpuprobe: GPUPROBE_NVCC=${GPUPROBE_NVCC} names no nvcc that "
                                "compiles the kernels; OFF builds gpuprobe without them")
        endif()
    else()
        message(STATUS "gpuprobe: built without kernels, as GPUPROBE_NVCC=${GPUPROBE_NVCC} asks")
    endif()
    set(${out_nvcc} ${nvcc} PARENT_SCOPE)
    set(${out_known} ${known} PARENT_SCOPE)
endfunction()
