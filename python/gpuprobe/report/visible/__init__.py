"""An explanation of CUDA_VISIBLE_DEVICES as text, Markdown and HTML."""
