// Zoomed in: a small map in the corner that shows the window and can be dragged,
// and two buttons. Both are absent while the board fits and is large enough.
import type { Context } from './context';
import { html, svg } from './dom';
import { applyView, centerOn, pixelScale, windowOf, zoomAt } from './view';

export class Minimap {
  private readonly node: HTMLDivElement;
  private readonly picture: SVGSVGElement;
  private readonly frame: SVGRectElement;
  private readonly use: SVGUseElement;
  private readonly buttons: HTMLDivElement;
  private readonly fitButton: HTMLButtonElement;

  constructor(private readonly ctx: Context, private readonly worldId: string) {
    this.use = svg('use');
    this.frame = svg('rect', { class: 'bw-map-window' });
    this.picture = svg('svg', { 'aria-hidden': 'true' }, this.use, this.frame);
    this.node = html('div', { class: 'bw-map', hidden: '' });
    this.node.append(this.picture);
    const follow = (event: PointerEvent) => {
      const matrix = this.picture.getScreenCTM();
      if (!matrix) return;
      const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
      centerOn(ctx.view, p);
      applyView(ctx);
    };
    this.node.addEventListener('pointerdown', event => { event.preventDefault(); this.node.setPointerCapture(event.pointerId); follow(event); });
    this.node.addEventListener('pointermove', event => { if (event.buttons) follow(event); });
    const zoomIn = this.button(ctx.words.zoomIn, 'M12 5v14M5 12h14', () => this.zoom(1.6));
    this.fitButton = this.button(ctx.words.fit, 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5', () => { ctx.view.scale = 1; applyView(ctx); });
    this.buttons = html('div', { class: 'bw-zoom', role: 'group', 'aria-label': ctx.words.map, hidden: '' }, zoomIn, this.fitButton);
    ctx.layers.root.append(this.node, this.buttons);
    ctx.view.listeners.push(() => this.update());
  }

  private button(label: string, d: string, act: () => void): HTMLButtonElement {
    const button = html('button', { type: 'button', 'aria-label': label, title: label });
    button.append(svg('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, svg('path', { d })));
    button.addEventListener('click', act);
    return button;
  }

  private zoom(factor: number) {
    const { ctx } = this;
    const box = windowOf(ctx.view);
    const place = ctx.cursor !== null ? ctx.face?.places[ctx.cursor] : null;
    zoomAt(ctx.view, place && !place.hidden && ctx.isCursorShown ? place : { x: box.x + box.width / 2, y: box.y + box.height / 2 }, factor);
    applyView(ctx);
  }

  update() {
    const { view, face } = this.ctx;
    const isZoomed = view.scale > 1.001;
    this.node.hidden = !isZoomed;
    // without zoom the map would draw the board twice for nothing
    if (isZoomed) this.use.setAttribute('href', `#${this.worldId}`);
    else this.use.removeAttribute('href');
    const isSmall = face !== null && face.unit * pixelScale(this.ctx) < 34;
    this.buttons.hidden = !isZoomed && !isSmall;
    this.fitButton.hidden = !isZoomed;
    const { full } = view, box = windowOf(view);
    this.picture.setAttribute('viewBox', `${full.x} ${full.y} ${full.width} ${full.height}`);
    this.node.style.aspectRatio = String(full.width / full.height);
    for (const [name, value] of Object.entries(box)) this.frame.setAttribute(name, String(value));
    this.frame.setAttribute('stroke-width', String(full.width / 40));
  }
}
