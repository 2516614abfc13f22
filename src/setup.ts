// Loaded by vitest before a test file: the clock has to see every timer from the first on.
import './clock/index.js'
