"""gpuprobe: does this GPU set-up work? It says so, proves it, or names the one thing that is wrong."""
