FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages ./packages
RUN npm ci
COPY nest-cli.json tsconfig.json tsconfig.build.json ormconfig.ts ./
COPY src ./src
COPY scripts ./scripts
COPY docs ./docs
# What the guide leads to beside docs.
COPY SECURITY.md CHANGELOG.md ./
COPY bench/RESULTS.md ./bench/
COPY deploy/README.md ./deploy/
COPY deploy/scanners/README.md ./deploy/scanners/
COPY deploy/rotation/README.md ./deploy/rotation/
COPY examples/partner-backend/README.md ./examples/partner-backend/
COPY examples/web-chat/README.md ./examples/web-chat/
# Without the command line, which is a client. What goes: what only builds, Node.js as a package (the
# image has its own), and the compiler, which npm keeps as an optional peer of @nestjs/swagger. The
# other optional packages stay: onnxruntime-node runs models that find passages by their meaning.
RUN npx tsc -b packages && npx nest build && node scripts/build-service.mjs && node scripts/build-guide.mjs && npm prune --omit=dev \
  && rm -rf node_modules/node-linux-* node_modules/.bin/node node_modules/typescript

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/packages ./packages
COPY --from=build /app/dist ./dist
COPY package.json LICENSE ./
# What the CronJob of deploy/kubernetes/rotate-key runs.
COPY deploy/kubernetes/rotate-key/rotate-key.mjs ./
# The only folder that is written, so that the root file system can be read-only.
RUN install -d -o node -g node -m 700 /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# As `npm start` does, but without a shell or npm in between, so that SIGTERM reaches the service.
CMD ["node", "--max-semi-space-size=4", "dist/service/main.js"]
