const LOOPBACK = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[?::1\]?|::ffff:127\.0\.0\.1|0\.0\.0\.0|)$/i

/** Whether a host is this machine, by any of its names. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host)
