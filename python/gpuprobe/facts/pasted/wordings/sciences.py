"""What programs of the sciences, and those that learn from tables of data, say."""

from __future__ import annotations

from ..sign import Sign

SIGNS = (
    Sign(
        "xgboost-without-cuda",
        "XGBoost or LightGBM is a build without GPU support",
        (
            "xgboost version not compiled with gpu support",
            "gpu tree learner was not enabled in this build",
            "cuda tree learner was not enabled in this build",
            "no visible gpu is found for xgboost",
        ),
    ),
    Sign(
        "program-without-gpu",
        "a program says that it was built without GPU support; the value is its name",
        (
            "environment for task type [gpu] not found",
            "cannot use gpu in cpu-only caffe",
            "you have not compiled kaldi with cuda",
            "relion was compiled without cuda",
            "gromacs was built without gpu",
            "gromacs was compiled without gpu",
            "gromacs binary has been built without gpu",
        ),
        r"\b(CatBoost)\w*[/:]|GPU in CPU-only (Caffe)|not compiled (Kaldi) with CUDA"
        r"|(Relion) was compiled|(GROMACS) (?:binary )?(?:was|has been) (?:built|compiled)",
    ),
    Sign(
        "program-finds-no-gpu",
        "a program that was to use a GPU says that it finds none",
        (
            "no visible gpu is found, setting",
            "we couldn't find any available gpu on the system",
            "no cuda gpu detected",
            "cuda device requested but no devices found",
            "valueerror: no gpu devices detected",
            "no compatible cuda device is available",
            "on a gpu because there is none detected",
            "on a gpu because no gpu is detected",
            "detected 0 cuda devices",
            "found 0 cuda devices",
        ),
        r"\A(?!.*diagnostics: cudaError_t).*",
    ),
)
