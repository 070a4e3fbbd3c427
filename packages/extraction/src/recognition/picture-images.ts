import sharp, { type Metadata, type Sharp } from 'sharp';
import { Unreadable } from '../unreadable.js';
import type { PageImages } from './page-image.js';

/** Limits the stored picture; an A3 page at 600 dpi has 70 million pixels. */
const MAX_PIXELS = 120_000_000;
/** Limits the picture that is passed to recognition. */
const MAX_DRAWN_PIXELS = 16_000_000;
/** Letters of a screenshot are too small for recognition unless they are enlarged. */
const MIN_LONG_SIDE = 2200;
const MAX_ENLARGED = 3;
/** The height of an A4 page, which the picture is taken for. */
const PAGE_INCHES = 11.7;
const MAX_PAGES = 1000;
/** Smaller pictures within a document are not recognised. */
const MIN_SIDE = 40;
const MIN_PIXELS = 15_000;

interface Picture {
  readonly pageCount: number;
  /** @param page from 1 */
  readonly pageAt: (page: number) => Sharp;
}

/**
 * Opens a PNG, JPEG, TIFF or WebP file.
 *
 * @throws Unreadable
 */
export async function openPicture(content: Uint8Array): Promise<Picture> {
  // Each thread of libvips allocates its own memory.
  sharp.concurrency(1);
  sharp.cache(false);
  const metadata = await readMetadata(content);
  const { width, height, pages = 1, format } = metadata;
  if (width * height > MAX_PIXELS) {
    throw new Unreadable('too_large', 'The picture has more than 120 million pixels.');
  }
  // Pages of a moving WebP are its frames.
  const pageCount = format === 'tiff' ? Math.min(pages, MAX_PAGES) : 1;
  const pageAt = (page: number) => sharp(content, { page: page - 1, limitInputPixels: MAX_PIXELS });
  return { pageCount, pageAt };
}

/**
 * Opens the pages of a picture, turned upright by its EXIF orientation.
 *
 * @throws Unreadable
 */
export async function openPictureImages(content: Uint8Array): Promise<PageImages> {
  const { pageCount, pageAt } = await openPicture(content);
  return {
    count: pageCount,
    draw: async (page, turns) => {
      try {
        const picture = pageAt(page);
        const size = await picture.metadata();
        const long = Math.max(size.width, size.height);
        const wanted = Math.min(Math.max(1, MIN_LONG_SIDE / long), MAX_ENLARGED);
        const scale = Math.min(wanted, Math.sqrt(MAX_DRAWN_PIXELS / (size.width * size.height)));
        const upright = await picture
          .autoOrient()
          .flatten({ background: 'white' })
          .greyscale()
          .resize({ width: Math.max(1, Math.round(getUprightWidth(size) * scale)) })
          .raw()
          .toBuffer({ resolveWithObject: true });
        const { width, height } = upright.info;
        const raw = { width, height, channels: 1 as const };
        const { data, info } =
          turns === 0
            ? upright
            : await sharp(upright.data, { raw })
                .rotate(90 * turns)
                .extractChannel(0)
                .raw()
                .toBuffer({ resolveWithObject: true });
        const dpi = Math.max(info.width, info.height) / PAGE_INCHES;
        return { width: info.width, height: info.height, pixels: data, dpi };
      } catch {
        return null;
      }
    },
    close: () => undefined,
  };
}

/** Whether a picture is large enough for words: smaller ones are icons and lines. */
export async function isLargePicture(content: Uint8Array): Promise<boolean> {
  try {
    const { width, height } = await readMetadata(content);
    return Math.min(width, height) >= MIN_SIDE && width * height >= MIN_PIXELS;
  } catch {
    return false;
  }
}

/** Orientations from 5 on lie on their side. */
const getUprightWidth = ({ width, height, orientation = 1 }: Metadata): number =>
  orientation >= 5 ? height : width;

async function readMetadata(content: Uint8Array): Promise<Metadata> {
  try {
    return await sharp(content, { limitInputPixels: false }).metadata();
  } catch {
    throw new Unreadable('parse_failed', 'The picture is damaged.');
  }
}
