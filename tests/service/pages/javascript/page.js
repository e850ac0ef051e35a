// The little of a page that modules read while they are imported: its language, no phrases, a canvas to measure with.

globalThis.document ??= {
  documentElement: { lang: "en" },
  getElementById: () => null,
  createElement: () => ({ getContext: () => null }),
};
