# The command `handset` in an image of its own: docs/scale.md says how it is built and used.

FROM node:24-bookworm AS build
WORKDIR /app
# The dependencies first: they change less often than the code. Of their scripts only that of better-sqlite3 is run, which
# fetches its library or compiles it (this image has the compiler).
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts && npm rebuild better-sqlite3
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY scenarios ./scenarios
RUN chmod +x dist/bin/handset.js \
 && ln -s /app/dist/bin/handset.js /usr/local/bin/handset \
 && install -d -o node -g node /lab
USER node
# Recordings go here unless they are given another place: mount a volume.
WORKDIR /lab
ENTRYPOINT ["handset"]
CMD ["--help"]
