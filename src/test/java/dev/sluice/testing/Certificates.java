package dev.sluice.testing;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Certificates that are made for a test, by the JDK's keytool, as files in PEM. */
public final class Certificates {
  private static final String PASSWORD = "changeit";

  private final Path directory;
  private final Path store;

  /** The files of a certificate and its key. */
  public record Pair(Path certificate, Path key) {}

  /** Certificates that are kept in a directory. */
  public Certificates(Path directory) {
    this.directory = directory;
    store = directory.resolve("store.p12");
  }

  /** Makes an authority, and the file with its certificate. */
  public Path authority(String name) {
    keytool(name, List.of("-ext", "bc:critical=ca:true"));
    return pair(name).certificate();
  }

  /** Makes a certificate for a DNS name that an authority vouches for. */
  public Pair issue(String name, String authority, String dns) {
    keytool(name, List.of("-signer", authority, "-ext", "san=dns:" + dns));
    return pair(name);
  }

  private void keytool(String alias, List<String> more) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-alias", alias, "-dname", "CN=" + alias));
    command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-validity", "30"));
    command.addAll(List.of("-keystore", store.toString(), "-storepass", PASSWORD));
    command.addAll(more);
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), UTF_8);
      if (process.waitFor() != 0) {
        throw new AssertionError(said);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private Pair pair(String alias) {
    Path certificate = directory.resolve(alias + ".crt");
    Path key = directory.resolve(alias + ".key");
    try (InputStream in = Files.newInputStream(store)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, PASSWORD.toCharArray());
      StringBuilder chain = new StringBuilder();
      for (Certificate one : keys.getCertificateChain(alias)) {
        chain.append(pem("CERTIFICATE", one.getEncoded()));
      }
      Files.writeString(certificate, chain);
      Files.writeString(
          key, pem("PRIVATE KEY", keys.getKey(alias, PASSWORD.toCharArray()).getEncoded()));
      return new Pair(certificate, key);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** A block of a file in PEM. */
  public static String pem(String what, byte[] der) {
    String lines = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(der);
    return "-----BEGIN " + what + "-----\n" + lines + "\n-----END " + what + "-----\n";
  }
}
