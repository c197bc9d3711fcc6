@NullMarked
package dev.sluice.load;

import org.jspecify.annotations.NullMarked;
