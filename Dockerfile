# The server with an embedded database in /data; DATABASE_URL makes it use PostgreSQL instead.
#   docker build -t tracker . && docker run -p 3000:3000 -v tracker:/data tracker
# Without the packages of the embedding model: docker build --build-arg NPM_OMIT=optional -t tracker .

# The version of the development dependency `node`; CONTRIBUTING.md says how tag and digest are changed together.
# Another base, with Node, npm and apt: docker build --build-arg BASE=…
ARG BASE=node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
FROM ${BASE} AS base

FROM base AS dependencies
ARG NPM_OMIT=
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The project's own script runs below, beside what it needs; of the packages, esbuild's must run.
RUN npm ci --omit=dev ${NPM_OMIT:+--omit=$NPM_OMIT} --ignore-scripts && npm rebuild esbuild && npm cache clean --force
COPY scripts/prune-modules.ts scripts/
RUN node scripts/prune-modules.ts node_modules

FROM dependencies AS build
COPY package.json LICENSE ./
COPY config config
COPY core core
COPY lib lib
COPY plugins plugins
COPY scripts scripts
RUN node scripts/build.ts

# The documentation, which the plugin `help` serves; its generator is a development dependency.
FROM build AS documentation
COPY README.md CONTRIBUTING.md CHANGELOG.md SECURITY.md ./
COPY bench bench
COPY deploy deploy
COPY docs docs
COPY examples examples
RUN npm ci --ignore-scripts && npm rebuild esbuild && node scripts/docs/index.ts

FROM base
# Process 1 is tini: it collects the processes that runners leave behind.
RUN apt-get update && apt-get install --yes --no-install-recommends tini && rm -rf /var/lib/apt/lists/*
# The allocator returns large blocks to the system when they are freed, as after the compilation of the database.
ENV MALLOC_MMAP_THRESHOLD_=131072
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 TRACKER_DATA_DIR=/data
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist ./
COPY --from=documentation /app/out/help out/help
# A server of this image finds its libraries bundled, an empty database, and the web interface built, unless its plugins are others.
RUN node scripts/postinstall.js && node core/cli.js build-ui
# The link is for the embedding model, which goes into ./data/models.
RUN install --directory --owner=1000 --group=1000 /data && ln -s /data data
# By number, so that Kubernetes can tell that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 3000
# A Node process per check would cost 50 MB and a tenth of a second of CPU: bash can open a connection itself.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["bash", "-c", \
  "{ exec 3<>/dev/tcp/127.0.0.1/$PORT && printf 'GET /health/live HTTP/1.0\\r\\n\\r\\n' >&3 && grep -q '^HTTP.* 200 ' <&3; } || exit 1"]
ENTRYPOINT ["tini", "--"]
# As npm start. The heap grows in small steps, and the space for young objects stays as small as the processor's cache:
# that takes less memory, and less time. Few of them survive, so that other threads would not help to collect them.
CMD ["node", "--require", "./core/start/preload.cjs", "--heap-growing-percent=30", "--max-semi-space-size=16", \
  "--no-parallel-scavenge", "core/main.js"]
