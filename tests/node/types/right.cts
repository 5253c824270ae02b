// Right, as a script.
import sondage = require('sondage');

async function main(client: sondage.Client): Promise<sondage.Member[]> {
  const error: sondage.SondageError = new sondage.ApiError('no', { httpStatus: 404 });
  console.log(error.httpStatus, sondage.field('Email').contains('@').compile().length);
  return client.members(5).toArray();
}
main(new sondage.Client()).catch(console.error);
