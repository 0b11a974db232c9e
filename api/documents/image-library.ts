import sharp from "sharp";

/**
 * The image library, restricted to the formats that may be uploaded. It could otherwise read SVG, PDF and other formats
 * by content, some of which refer to further files and URLs. All programs must import it from here.
 */
export const readImage = sharp;

const kinds = ["Jpeg", "Png", "Webp", "Nsgif", "Tiff"];
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: kinds.map((kind) => `VipsForeignLoad${kind}`) });
