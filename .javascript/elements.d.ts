// Every element of the pages is an HTML or an SVG one: both can have the focus and hold data.

interface Element extends HTMLOrSVGElement {
  hidden: string | boolean;
  readonly offsetTop: number;
}
