import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Where Debian and others put it; CHROMIUM names another place. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium']

/** The path of a Chromium, or null where there is none. */
export const browserPath = (): string | null =>
  [process.env.CHROMIUM ?? '', ...PLACES].find((path) => path !== '' && existsSync(path)) ?? null

/** Starts it without a window. In containers it runs as root, where its sandbox refuses to. */
export const startBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox'] })
