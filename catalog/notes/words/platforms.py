"""Which platform does an expression ask for?"""

import ast

from catalog.notes.words.texts import write_source

_PLATFORMS = {
    "cuda": "CUDA",
    "cuda_alike": "CUDA or ROCm",
    "rocm": "ROCm",
    "hip": "ROCm (HIP)",
    "npu": "an NPU",
    "xpu": "an XPU",
    "tpu": "a TPU",
    "hpu": "an HPU",
    "cpu": "a CPU",
    "mps": "Apple's MPS",
    "musa": "MUSA",
    "blackwell": "Blackwell",
    "hopper": "Hopper",
    "out_of_tree": "one that a plugin brings",
}


def find_platform(node: ast.expr) -> str | None:
    """Name the platform that `platform.is_cuda()`, `get_platform().is_npu` or `is_hip()` asks for."""
    if isinstance(node, ast.Call) and not node.args and not node.keywords:
        node = node.func
    match node:
        case ast.Attribute(attr=name, value=value) if "platform" in write_source(value).lower():
            pass
        case ast.Name(id=name):
            pass
        case _:
            return None
    return _PLATFORMS.get(name.lstrip("_").removeprefix("is_")) if name.lstrip("_").startswith("is_") else None
