import sharp from "sharp";

/**
 * The image library, restricted to the formats that may be uploaded. It would otherwise detect SVG, PDF and other
 * formats from a file's bytes, some of which load files and URLs. Import sharp only from here.
 */
export const restrictedSharp = sharp;

const ALLOWED_LOADERS = ["Jpeg", "Png", "Webp", "Nsgif", "Tiff"];
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: ALLOWED_LOADERS.map((kind) => `VipsForeignLoad${kind}`) });
