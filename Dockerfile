# syntax=docker/dockerfile:1
# The server and the command line, without Swift. The database is a container of its own: see compose.yaml.
# No container engine runs where Landfall is tested, so this file is read by a test, but has not been built.

FROM swift:6.1-bookworm AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends libcurl4-openssl-dev libpq-dev libsqlite3-dev pkg-config zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /landfall
COPY Package.swift ./
COPY sql sql
COPY Sources Sources
COPY dashboards-cli dashboards-cli
COPY Tests Tests
# What --version says: docker build --build-arg LANDFALL_BUILD="commit $(git rev-parse --short=8 HEAD)" .
ARG LANDFALL_BUILD="built for a container"
RUN for product in landfall-server landfall; do \
        swift build -c release --static-swift-stdlib -Xswiftc -gnone --disable-index-store --product "$product" || exit 1; \
        strip -o "/usr/local/bin/$product" ".build/release/$product" || exit 1; \
    done

FROM debian:12-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates libcurl4 libpq5 libsqlite3-0 libstdc++6 tzdata zlib1g \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --home-dir /var/lib/landfall --create-home --shell /usr/sbin/nologin landfall \
    && chmod 700 /var/lib/landfall
COPY --from=build /usr/local/bin/landfall-server /usr/local/bin/landfall /usr/local/bin/
USER landfall
# The folder holds the token key, without which no stored token can be read. Keep it, or set LANDFALL_TOKEN_KEY.
VOLUME /var/lib/landfall
ENV LANDFALL_DATA=/var/lib/landfall LANDFALL_HOST=0.0.0.0
EXPOSE 8080
# The server finishes the requests in progress; 20 s at most, unless shutdown.grace says otherwise.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["bash", "-c", \
    "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /healthz HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200 '"]
ENTRYPOINT ["landfall-server"]
CMD ["serve"]
