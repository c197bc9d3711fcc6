package dev.sluice.rulefile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SingleFileMountsTest {
  private static final List<String> MOUNTINFO =
      List.of(
          "24 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw",
          "31 24 8:1 /pods/u/volumes/kubernetes.io~configmap/c/..2031/config.yaml"
              + " /data/my\\040rules/config.yaml ro,relatime - ext4 /dev/sda1 rw",
          "32 24 8:1 /rules /data/config rw,relatime - ext4 /dev/sda1 rw",
          "");

  @Test
  void aFileThatIsAMountPointIsOne() {
    assertThat(
            SingleFileMounts.among(
                List.of(
                    new RuleText.Unreadable("/data/my rules/config.yaml", ""),
                    new RuleText.Unreadable("/data/config/api.yaml", "")),
                MOUNTINFO))
        .containsExactly("/data/my rules/config.yaml");
  }

  @Test
  void thisMachineHasNoneHere() {
    assertThat(SingleFileMounts.among(List.of(new RuleText.Unreadable("config/api.yaml", ""))))
        .isEmpty();
  }
}
