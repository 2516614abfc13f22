/** Follows the reader's scheme; pictures have a light ground of their own. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ink: #1f2328; --soft: #59636e; --ground: #fff; --line: #d1d9e0; --panel: #f6f8fa; --bad: #cf222e; --good: #1a7f37; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #f0f6fc; --soft: #9198a1; --ground: #0d1117; --line: #3d444d; --panel: #151b23; --bad: #ff7b72; --good: #3fb950; }
}
body { margin: 0 auto; max-width: 1000px; padding: 1rem; font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--ground); }
h1 { font-size: 1.6rem; } h2 { border-bottom: 1px solid var(--line); padding-bottom: .3rem; margin-top: 2.5rem; } h3 { margin: 1.8rem 0 .2rem; }
.soft { color: var(--soft); margin-top: 0; } .bad { color: var(--bad); } .good { color: var(--good); }
.scroll { overflow-x: auto; margin: .8rem 0; }
table { border-collapse: collapse; font-size: .9rem; }
th, td { border: 1px solid var(--line); padding: .25rem .6rem; text-align: left; vertical-align: top; }
thead th { background: var(--panel); } tbody th { font-weight: 500; } .numbers td { text-align: right; }
.numbers tbody tr:last-child > * { font-weight: 700; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .8rem; overflow-x: auto; font-size: .85rem; line-height: 1.4; }
summary { cursor: pointer; color: var(--soft); } code { font-size: .9em; overflow-wrap: anywhere; }`
