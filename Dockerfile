# The server with an embedded database in /data; DATABASE_URL makes it use PostgreSQL instead.
#   docker build -t tracker . && docker run -p 3000:3000 -v tracker:/data tracker

FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev && npm cache clean --force
# The model runtime comes with the libraries of every platform; keep this one's.
RUN find node_modules/onnxruntime-node/bin -type f ! -path "*/linux/$(node -p process.arch)/*" -delete

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 TRACKER_DATA_DIR=/data
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json LICENSE ./
COPY config config
COPY core core
COPY plugins plugins
# The link is for the embedding model, which goes into ./data/models.
RUN install --directory --owner=node --group=node /data && ln -s /data data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then(answer => process.exit(answer.ok ? 0 : 1))"]
CMD ["node", "--heap-growing-percent=30", "core/main.ts"]
