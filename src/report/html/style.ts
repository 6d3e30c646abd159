/** The page's style: light and dark, wide and narrow, on paper. System fonts; nothing is fetched. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #fcfcfb; --card: #ffffff; --ink: #1d2126; --soft: #5d6670; --line: #e3e5e8; --edge: #d3d7dc;
  --bad: #b3261e; --bad-paper: #fdf0ee; --warn: #8a5a00; --warn-paper: #fdf6e6; --good: #1b6e3c; --good-paper: #eef8f1;
  --blue: #2767c9; --orange: #d07a1c; --green: #23854a; --red: #c4372f; --purple: #7a4fb5; --teal: #128091;
  --brown: #8a5a3c; --grey: #868e97; --heat: #2356b0; --mark: #9aa1a9;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15181c; --card: #1c2025; --ink: #e4e7ea; --soft: #9aa4af; --line: #2b3138; --edge: #38404a;
    --bad: #ff8f85; --bad-paper: #331d1c; --warn: #e9b95c; --warn-paper: #2f2716; --good: #71cf94; --good-paper: #172a1e;
    --blue: #6fa8ff; --orange: #f0a352; --green: #5cc486; --red: #ff7b72; --purple: #b493f0; --teal: #4fc3d4;
    --brown: #c9997a; --grey: #9aa4af; --heat: #7db0ff; --mark: #69727d;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 72rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; font-variant-numeric: tabular-nums;
  overflow-wrap: anywhere;
}
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .25rem; font-weight: 650; letter-spacing: -.01em; text-wrap: balance; }
h2 { font-size: 1.1rem; margin: 2.25rem 0 .5rem; font-weight: 650; }
h3 { font-size: .95rem; margin: 0; font-weight: 650; }
p { margin: .25rem 0; }
.soft, figcaption, .about { color: var(--soft); }
.about, figcaption { font-size: .83rem; }
a { color: var(--blue); }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .82rem; }
.facts { color: var(--soft); margin: 0; }
nav { margin: .75rem 0 0; font-size: .85rem; display: flex; flex-wrap: wrap; gap: .1rem 1rem; }

.verdict { margin: 1.25rem 0 0; padding: .9rem 1.1rem; border: 1px solid; border-left-width: 6px; border-radius: 6px; }
.verdict.good { border-color: var(--good); background: var(--good-paper); }
.verdict.warn { border-color: var(--warn); background: var(--warn-paper); }
.verdict.bad { border-color: var(--bad); background: var(--bad-paper); }
.verdict h2 { margin: 0; font-size: 1.25rem; }
.verdict.good h2, .good-word { color: var(--good); }
.verdict.warn h2 { color: var(--warn); }
.verdict.bad h2, .bad-word { color: var(--bad); }
.warn-word { color: var(--warn); }
.verdict ul, .findings { margin: .5rem 0 0; padding: 0; list-style: none; }
.verdict li, .findings li { padding-left: 1.5rem; text-indent: -1.5rem; margin: .2rem 0; }
.sign { display: inline-block; width: 1.5rem; text-indent: 0; font-weight: 700; }

.numbers { display: grid; grid-template-columns: repeat(4, 1fr); margin: 1.25rem 0 0; background: var(--card);
  border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
.numbers div { padding: .6rem .9rem; box-shadow: 1px 1px 0 var(--line); }
.numbers dt { color: var(--soft); font-size: .8rem; }
.numbers dd { margin: 0; font-size: 1.25rem; font-weight: 600; line-height: 1.3; }
.numbers small { display: block; color: var(--soft); font-size: .78rem; font-weight: 400; }

.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .88rem; background: var(--card); }
.scroll { margin: .3rem 0 1rem; }
th, td { text-align: left; padding: .32rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
thead th { font-weight: 600; color: var(--soft); border-bottom-color: var(--edge); white-space: nowrap; overflow-wrap: normal; }
tbody th { font-weight: 500; min-width: 5rem; }
th, td { overflow-wrap: normal; }
td code, th code { overflow-wrap: anywhere; }
.n { text-align: right; white-space: nowrap; overflow-wrap: normal; }

.charts { margin-top: .75rem; display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 1rem; }
figure { margin: 0; padding: .8rem .9rem .6rem; background: var(--card); border: 1px solid var(--line); border-radius: 6px; min-width: 0; }
figcaption { margin: .1rem 0 .4rem; min-height: 2.5em; }
.plot { min-height: 190px; outline-offset: 3px; }
.plot:focus-visible { outline: 2px solid var(--blue); }
.u-legend { font-size: .78rem; color: var(--ink); background: transparent; text-align: left; }
.u-legend.u-inline .u-series > * { padding: 1px 3px; }
.u-legend th, .u-legend td { border: 0; font-weight: 400; }
.u-legend td { font-weight: 600; }
.u-legend .u-marker { width: 1.1em; height: .75em; border-radius: 2px; }
.u-select { background: color-mix(in srgb, var(--blue) 18%, transparent); }
.u-cursor-x { border-color: var(--soft) !important; }
figure details { font-size: .8rem; margin-top: .2rem; }
figure details table { font-size: .8rem; }
summary { cursor: pointer; color: var(--soft); }
summary:focus-visible, a:focus-visible, .scroll:focus-visible { outline: 2px solid var(--blue); outline-offset: 2px; }

.attempt { border: 1px solid var(--line); border-radius: 6px; background: var(--card); margin: .35rem 0; padding: 0 .8rem; }
.attempt > summary { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .4rem 0; color: var(--ink); font-size: .88rem; list-style-position: inside; }
.attempt > summary b { min-width: 5.5rem; font-weight: 600; }
.attempt > summary::before { content: "▸"; color: var(--soft); width: .8rem; margin-right: -.6rem; }
.attempt[open] > summary::before { content: "▾"; }
.story { margin-top: 1rem; font-size: .9rem; }
.attempt h4 { margin: .5rem 0 .1rem; font-size: .8rem; color: var(--soft); font-weight: 600; }
pre { margin: 0 0 .6rem; padding: .5rem .6rem; background: var(--paper); border: 1px solid var(--line); border-radius: 4px;
  white-space: pre-wrap; overflow-wrap: anywhere; max-height: 18rem; overflow-y: auto; }
footer { margin-top: 3rem; color: var(--soft); font-size: .82rem; border-top: 1px solid var(--line); padding-top: .8rem; }
.better { color: var(--good); } .worse { color: var(--bad); }

@media (max-width: 34rem) {
  body { padding: 1rem .75rem 3rem; font-size: 14px; }
  figure { padding: .6rem .5rem; }
  th, td { padding: .3rem .35rem; }
  figcaption { min-height: 0; }
  /* The columns Lost and Missing must stay on the page. */
  [aria-labelledby="ledger"] table { font-size: .7rem; }
  [aria-labelledby="ledger"] :is(th, td) { padding: .3rem .12rem; min-width: 0; }
  .numbers { grid-template-columns: repeat(2, 1fr); }
}
@media print {
  :root { --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #ccc; --edge: #999; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav { display: none; }
  figure, table, .verdict, .attempt { break-inside: avoid; }
  .charts { grid-template-columns: 1fr 1fr; }
  pre { max-height: none; }
}
`;
