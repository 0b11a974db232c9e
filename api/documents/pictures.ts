import sharp from "sharp";

/**
 * The image library, reading nothing but the kinds of picture that may be uploaded. It could also read drawings, PDFs
 * and what other libraries of the machine know, whatever a file is called; some of those name further files and
 * addresses. Each program that reads pictures imports it from here.
 */
export const readPicture = sharp;

const kinds = ["Jpeg", "Png", "Webp", "Nsgif", "Tiff"];
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: kinds.map((kind) => `VipsForeignLoad${kind}`) });
