// The browser of the machine is used: nothing is downloaded at install.
module.exports = { skipDownload: true };
