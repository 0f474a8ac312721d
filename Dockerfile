# The image of a release, for those who build it themselves: docker build --build-arg VERSION=1.2.3 --tag boxrules .
FROM --platform=$BUILDPLATFORM golang:1.26 AS build
ARG VERSION
ARG TARGETOS
ARG TARGETARCH
WORKDIR /src
COPY . .
RUN CGO_ENABLED=0 GOWORK=off GOOS=$TARGETOS GOARCH=$TARGETARCH go build -C cmd/boxrules -trimpath -buildvcs=false -ldflags "-s -w -buildid= -X main.release=$VERSION" -o /boxrules .

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /boxrules /boxrules
USER 65532:65532
ENTRYPOINT ["/boxrules"]
