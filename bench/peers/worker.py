# SPDX-License-Identifier: Apache-2.0
"""One engine in one process: reads a JSON object per line, answers with one.

    in   {"ids": [...], "calls": N}     one sequence of token ids, N timed forward passes
    out  {"ms": [...], "vector": [...], "peak_rss_mb": X}   mean-pooled, normalised

The first line out is {"ready": {...}} with what really runs. quire_worker.cc speaks the same way.
"""
import json
import os
import resource
import sys
import time

import numpy as np


def export_onnx(model_dir, path):
    """The model as ONNX Runtime's own users run it: exported, then fused by its transformer optimiser."""
    import torch
    import transformers
    from onnxruntime.transformers import optimizer

    model = transformers.AutoModel.from_pretrained(model_dir, attn_implementation="eager").eval()

    class Trunk(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.model = model

        def forward(self, input_ids, attention_mask, token_type_ids):
            return self.model(input_ids=input_ids, attention_mask=attention_mask,
                              token_type_ids=token_type_ids).last_hidden_state

    names = ["input_ids", "attention_mask", "token_type_ids"]
    ids = torch.ones(1, 16, dtype=torch.long)
    torch.onnx.export(Trunk(), (ids, ids, torch.zeros_like(ids)), path + ".raw", input_names=names,
                      output_names=["hidden"], opset_version=17, dynamo=False,
                      dynamic_axes={n: {0: "batch", 1: "tokens"} for n in names + ["hidden"]})
    fused = optimizer.optimize_model(path + ".raw", model_type="bert", num_heads=model.config.num_attention_heads,
                                     hidden_size=model.config.hidden_size)
    fused.save_model_to_file(path)
    os.remove(path + ".raw")


def onnxruntime_engine(model_dir, threads, cache):
    import onnxruntime
    path = os.path.join(cache, "fused.onnx")
    if not os.path.exists(path):
        sys.exit(f"worker: {path} is missing; bench/peers/run makes it")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])

    def forward(ids):
        ids = np.asarray([ids], dtype=np.int64)
        return lambda: session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids),
                                          "token_type_ids": np.zeros_like(ids)})[0][0]
    return forward, f"onnxruntime {onnxruntime.__version__}, transformer optimiser"


def torch_engine(model_dir, threads, cache):
    import torch
    import transformers
    torch.set_num_threads(threads)
    model = transformers.AutoModel.from_pretrained(model_dir, attn_implementation="sdpa").eval()

    def forward(ids):
        ids = torch.tensor([ids])
        mask = torch.ones_like(ids)

        def call():
            with torch.inference_mode():
                return model(input_ids=ids, attention_mask=mask).last_hidden_state[0].numpy()
        return call
    return forward, f"torch {torch.__version__}, transformers {transformers.__version__}, sdpa"


ENGINES = {"onnxruntime": onnxruntime_engine, "torch": torch_engine}


def main():
    name, model_dir, threads, cache = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
    if name == "export":
        export_onnx(model_dir, os.path.join(cache, "fused.onnx"))
        return
    forward, detail = ENGINES[name](model_dir, threads, cache)
    print(json.dumps({"ready": {"detail": detail}}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        call = forward(request["ids"])
        hidden, ms = call(), []
        for _ in range(request["calls"]):
            start = time.perf_counter()
            hidden = call()
            ms.append((time.perf_counter() - start) * 1e3)
        vector = hidden.astype(np.float64).mean(axis=0)
        print(json.dumps({"ms": ms, "vector": (vector / np.linalg.norm(vector)).tolist(),
                          "peak_rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}), flush=True)


if __name__ == "__main__":
    main()
