#!/usr/bin/env bash
# Builds the image of the Dockerfile without Docker, and starts it: read-only, as its user, with its health check and a
# SIGTERM. As root, with buildah and debootstrap of Debian: scripts/image.sh FOLDER
# The base is not the published one, but a root file system of Debian with the Node of npm's package `node`.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(realpath -m "${1:?name a folder, which takes some GB}")
mkdir -p "$folder/data" "$folder/pushed" "$folder/storage" "$folder/run"
buildah () { command buildah --storage-driver "${STORAGE_DRIVER:-overlay}" --root "$folder/storage" --runroot "$folder/run" "$@"; }
say () { printf '\n== %s\n' "$*"; }

say "The base: Debian by debootstrap, Node $(node_modules/node/bin/node --version) of npm. The published base is not run."
if ! [ -e "$folder/root/usr/local/bin/node" ]; then
  [ -e "$folder/root/etc/debian_version" ] ||
    debootstrap --variant=minbase bookworm "$folder/root" http://deb.debian.org/debian > "$folder/debootstrap.log"
  mkdir -p "$folder/root/usr/local/lib/node_modules"
  cp -a "$(npm root --global)/npm" "$folder/root/usr/local/lib/node_modules/"
  ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$folder/root/usr/local/bin/npm"
  chroot "$folder/root" sh -c 'apt-get -qq update && apt-get -qqy install ca-certificates && apt-get clean' > "$folder/apt.log"
  rm -rf "$folder/root/var/lib/apt/lists"/*
  cp node_modules/node/bin/node "$folder/root/usr/local/bin/node"
fi
container=$(buildah from scratch)
buildah add --quiet "$container" "$folder/root" / > /dev/null
buildah config --cmd bash "$container"
# Behind a proxy with a certificate of its own, npm must know that.
authorities=${NODE_EXTRA_CA_CERTS:-}
[ -z "$authorities" ] || buildah config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$container"
buildah commit --quiet --rm "$container" localhost/tracker-base > /dev/null

say 'The build of the Dockerfile'
buildah bud --isolation chroot --format docker --build-arg BASE=localhost/tracker-base --tag localhost/tracker \
  ${authorities:+--volume "$authorities:/etc/ssl/certs/ca-certificates.crt:ro"} .

say 'The compressed size'
buildah push --quiet localhost/tracker "dir:$folder/pushed"
size=$(du --bytes --summarize "$folder/pushed" | cut -f1)
echo "$((size / 1000000)) MB"
[ "$size" -le 250000000 ]

say 'A start: read-only, without rights'
container=$(buildah from --pull-never localhost/tracker)
root=$(buildah mount "$container")
value () { buildah inspect --type image localhost/tracker | node_modules/node/bin/node scripts/image-value.ts "$1"; }
chown 1000:1000 "$folder/data"
port=$(node_modules/node/bin/node -p 'const s = require("net").createServer().listen(0); const { port } = s.address(); s.close(); port')
enter="mount --bind $root $root && mount --options remount,bind,ro $root && mount --bind $folder/data $root/data &&
  mount --types tmpfs tmpfs $root/tmp && mount --rbind /dev $root/dev && mount --types proc proc $root/proc &&
  exec chroot --userspec=$(value user) $root env --chdir=/app -i $(value env) PORT=$port"
unshare --mount --pid --fork bash -c "$enter $(value command)" > "$folder/server.log" 2>&1 &
starter=$!
trap 'pkill --parent $starter || true' EXIT
health=$(value health)
# The health check needs no file system of its own.
for _ in $(seq 120); do
  sleep 1
  PORT=$port bash -c "$health" 2> /dev/null && break
done
PORT=$port bash -c "$health"
echo 'The health check is passed.'
first=$(pgrep --parent "$starter")
ps --pid "$first" --format user:8,args --no-headers | cut -c1-100
echo "uid, gid, and capabilities: $(grep --extended-regexp '^(Uid|Gid|CapEff):' "/proc/$first/status" | tr '\n\t' '  ')"
nsenter --target "$first" --mount touch "$root/app/written" 2>&1 | head -1 || true
[ ! -e "$root/app/written" ]

say 'SIGTERM'
kill -TERM "$first"
status=0
wait "$starter" || status=$?
trap - EXIT
grep -o '"msg":"stopping"' "$folder/server.log"
echo "The server has ended with exit code $status."
[ "$status" = 0 ]
