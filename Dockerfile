FROM maven:3.9-eclipse-temurin-17 AS build
WORKDIR /src
COPY pom.xml ./
COPY .mvn .mvn
COPY proto proto
COPY src/main src/main
COPY bin bin
COPY deploy/image deploy/image
RUN mvn -q -B -DskipTests package && deploy/image/install /opt/sluice

# The archive of classes has to be made by the Java that uses it. Redis is there to be called while it is made.
FROM eclipse-temurin:25-jre AS trained
RUN apt-get update && apt-get install --yes --no-install-recommends redis-server
COPY --from=build /opt/sluice /opt/sluice
RUN /opt/sluice/bin/sluice train

# It runs with a read-only root, without any writable directory, and as any user: everything in it can be read by all.
FROM eclipse-temurin:25-jre
COPY --from=trained /opt/sluice /opt/sluice
# Istio's and Envoy Gateway's manifests call /bin/ratelimit, without arguments.
RUN ln -s /opt/sluice/bin/sluice /bin/ratelimit && ln -s /opt/sluice/bin/sluice /usr/local/bin/sluice
# Rule files are mounted at /data/ratelimit/config; Istio's RUNTIME_ROOT=/data, RUNTIME_SUBDIRECTORY=ratelimit say the same.
ENV RUNTIME_ROOT=/data/ratelimit
USER 65532:65532
EXPOSE 8080 8081 9090
ENTRYPOINT ["/usr/local/bin/sluice"]
CMD ["serve"]
